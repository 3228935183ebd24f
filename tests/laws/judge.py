from noisewise.testing.judge import *  # noqa
from noisewise.testing.judge import FLOAT  # noqa
