"""The registry: every law, the four that were asked for by name first."""

from invariants.law import Law
from invariants.laws_abort import ABORTS
from invariants.laws_dispatch import DISPATCH
from invariants.laws_entries import ENTRIES
from invariants.laws_events import EVENTS
from invariants.laws_factory import FACTORIES
from invariants.laws_failure import FAILURE
from invariants.laws_fork import FORKS
from invariants.laws_header import HEADERS
from invariants.laws_identities import IDENTITIES
from invariants.laws_log import LOGS
from invariants.laws_named import NAMED
from invariants.laws_owners import OWNERS
from invariants.laws_publication import PUBLICATION
from invariants.laws_registry import REGISTRY
from invariants.laws_resume import RESUMES
from invariants.laws_rollback import ROLLBACK
from invariants.laws_seed import SEEDS
from invariants.laws_store import STORE
from invariants.laws_storing import STORING
from invariants.laws_transaction import TRANSACTION

LAWS: tuple[Law, ...] = (
    *NAMED,
    *HEADERS,
    *LOGS,
    *SEEDS,
    *STORE,
    *ENTRIES,
    *EVENTS,
    *DISPATCH,
    *REGISTRY,
    *PUBLICATION,
    *TRANSACTION,
    *ROLLBACK,
    *FAILURE,
    *ABORTS,
    *OWNERS,
    *FACTORIES,
    *FORKS,
    *STORING,
    *RESUMES,
    *IDENTITIES,
)
"""Every law; one that is not here is checked by nobody, and fails the build."""
