package session

// Session is an append-only log with a header.
type Session struct {
	header       Record
	log          []Event
	firstLiveSeq int
	entry        *entry // its stay in a store, while it is live
}

// New constructs a session outside any store. A nil seed is none; an empty one is one (SEED-6).
func New(id string, seed []any) (*Session, error) {
	return NewWithHeader(id, seed, candidate(id, nil))
}

// NewWithHeader constructs a session outside any store with a header of the caller's.
func NewWithHeader(id string, seed []any, header any) (*Session, error) {
	own, err := accepted(id, header)
	if err != nil {
		return nil, err
	}
	log, err := constructed(seed)
	if err != nil {
		return nil, err
	}
	return &Session{header: own, log: log, firstLiveSeq: len(seed)}, nil
}

// ID is the session's id, which its header holds and nothing else (HDR-3).
func (s *Session) ID() string {
	return s.header["id"].(string)
}

// Header is a copy of the header (HDR-7).
func (s *Session) Header() Record {
	return copied(s.header)
}

// Events is a copy of the log (LOG-2).
func (s *Session) Events() []Event {
	events := make([]Event, len(s.log))
	for index, event := range s.log {
		events[index] = event.copy()
	}
	return events
}

// FirstLiveSeq is the length of the seed that was given (SEED-3).
func (s *Session) FirstLiveSeq() int {
	return s.firstLiveSeq
}

// Append adds an event to the log; listeners hear of it if the session is live (LOG-3 to 6).
func (s *Session) Append(kind string, data any) (Event, error) {
	own, fits := lossless(data)
	if !fits {
		return Event{}, ErrDataNotJSON
	}
	if s.entry != nil && s.entry.appending {
		return Event{}, ErrReentered
	}
	event := Event{kind, len(s.log), now(), own, Record{}}
	s.log = append(s.log, event)
	if s.entry != nil {
		s.entry.publish(event)
	}
	return event.copy(), nil
}
