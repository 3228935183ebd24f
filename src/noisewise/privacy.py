"""The old place of ledgers, for pickles of them: they name the function `noisewise.privacy.ledger._reopen`.

Nothing else is kept, and nothing imports this module. Python does so when it reads such a pickle.
"""

import sys

from noisewise.ledger.ledger import _reopen as _reopen

sys.modules[f"{__name__}.ledger"] = sys.modules[__name__]
