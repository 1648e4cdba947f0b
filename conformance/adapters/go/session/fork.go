package session

import "math"

const (
	turnStart = "turn/start"
	turnEnd   = "turn/end"
)

// A Boundary says how much of its source's log a child inherits.
type Boundary struct {
	given bool
	seq   any
}

// Whole is the whole log.
var Whole = Boundary{}

// Through is the log from its first event through the one with this seq.
func Through(seq any) Boundary {
	return Boundary{given: true, seq: seq}
}

// Fork creates a child of a live session (FORK-1 to 4). Without an id one is minted.
func (s *Store) Fork(source *Session, through Boundary, id *string) (*Session, error) {
	return s.fork(source.ID(), func(live *Session) bool { return live == source }, through, id)
}

// ForkByID creates a child of the session that is live under an id.
func (s *Store) ForkByID(source string, through Boundary, id *string) (*Session, error) {
	return s.fork(source, func(*Session) bool { return true }, through, id)
}

// fork checks in the order of FORK-1, then creates.
func (s *Store) fork(sourceID string, isMeant func(*Session) bool, through Boundary, id *string) (*Session, error) {
	source := s.Get(sourceID)
	switch {
	case id != nil && s.Get(*id) != nil:
		return nil, ErrChildExists
	case source == nil:
		return nil, ErrSourceNotFound
	case !isMeant(source):
		return nil, ErrSourceNotLive
	}
	length, fits := through.length(len(source.log))
	if !fits {
		return nil, ErrInvalidBoundary
	}
	prefix := source.log[:length]
	if endsInTurn(prefix) {
		return nil, ErrOpenTurn
	}
	return s.Create(id, seedOf(prefix), lineage(source, length))
}

// length is how many events are inherited of a log of that length, where the boundary is in it.
func (b Boundary) length(log int) (int, bool) {
	if !b.given {
		return log, true
	}
	seq, isNumber := b.seq.(float64)
	if !isNumber || seq != math.Trunc(seq) || seq < 0 || seq >= float64(log) {
		return 0, false
	}
	return int(seq) + 1, true
}

func endsInTurn(log []Event) bool {
	for index := len(log) - 1; index >= 0; index-- {
		switch log[index].Type {
		case turnStart:
			return true
		case turnEnd:
			return false
		}
	}
	return false
}

// seedOf is a log as a seed, which is there even if it is empty (FORK-2).
func seedOf(log []Event) []any {
	seed := make([]any, len(log))
	for index, event := range log {
		seed[index] = event.Record()
	}
	return seed
}

// lineage is a child's metadata: the parent, the number of events inherited, the cwd (FORK-3).
func lineage(source *Session, length int) Record {
	meta := Record{"parentSession": source.ID(), "seedLength": float64(length)}
	if cwd, there := source.header["cwd"]; there {
		meta["cwd"] = cwd
	}
	return meta
}
