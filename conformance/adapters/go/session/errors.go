package session

import "errors"

// Why a session is not constructed.
var (
	ErrHeaderNotJSON   = errors.New("the header is no record of lossless JSON")
	ErrHeaderVersion   = errors.New("the header is of another format version")
	ErrHeaderID        = errors.New("the header has another id than its session")
	ErrHeaderCreatedAt = errors.New("the header's creation time is no count of milliseconds")
	ErrHeaderCWD       = errors.New("the header's cwd is no absolute path")
	ErrHeaderField     = errors.New("a field of the header is not of its type")
	ErrSeedNotJSON     = errors.New("a seed event is no lossless JSON")
	ErrSeedEnvelope    = errors.New("a seed event has not the keys of an event, each of its type")
	ErrSeedSeq         = errors.New("a seed event has not its index as its seq")
)

// Why an event is not appended.
var (
	ErrDataNotJSON = errors.New("the data is no lossless JSON")
	ErrReentered   = errors.New("an append of this session is being dispatched")
)

// Why the store refuses.
var (
	ErrIDTaken          = errors.New("a session with this id is live")
	ErrAlreadyAttached  = errors.New("the session is entered already")
	ErrNotLive          = errors.New("the session is not live in this store")
	ErrAlreadyAnnounced = errors.New("the session was announced already")
)

// Why there is no fork.
var (
	ErrChildExists     = errors.New("a session with the child's id is live")
	ErrSourceNotFound  = errors.New("no session is live under the source's id")
	ErrSourceNotLive   = errors.New("another session is live under the source's id")
	ErrInvalidBoundary = errors.New("the boundary is no seq of the source's log")
	ErrOpenTurn        = errors.New("the boundary lies in an open turn")
)
