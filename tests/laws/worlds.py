from noisewise.testing.worlds import *  # noqa
from noisewise.testing.worlds import Dataset, World, ball, edits  # noqa
