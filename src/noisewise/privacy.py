"""The former module of ledgers. Old pickles of ledgers name the function `noisewise.privacy.ledger._reopen`.

Only Python imports this module, when it reads such a pickle.
"""

import sys

from noisewise.ledger.ledger import _reopen as _reopen

sys.modules[f"{__name__}.ledger"] = sys.modules[__name__]
