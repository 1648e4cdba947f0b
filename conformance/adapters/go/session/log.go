package session

const (
	endSeed           = "session/end-seed"
	legacyHeaderDelta = "request/header-delta"
)

// envelope are the keys that an event may have.
var envelope = map[string]bool{
	"type": true, "seq": true, "time": true, "data": true,
	"surfaceOp": true, "sourceEventSeqs": true, "ignorable": true,
}

// Event is one entry of a log. Its seq is its index, its time is in milliseconds (LOG-1).
type Event struct {
	Type string
	Seq  int
	Time int64
	Data any
	rest Record // the other keys of the envelope, as a seed had them
}

// Record is the event as a record: what a seed is made of.
func (e Event) Record() Record {
	record := copied(e.rest)
	record["type"] = e.Type
	record["seq"] = float64(e.Seq)
	record["time"] = float64(e.Time)
	record["data"] = copied(e.Data)
	return record
}

func (e Event) copy() Event {
	e.Data, e.rest = copied(e.Data), copied(e.rest)
	return e
}

// constructed is the log of a session made from a seed: what the seed holds, and a marker unless
// there is no seed or its last event is one (SEED-1, SEED-2).
func constructed(seed []any) ([]Event, error) {
	log := make([]Event, 0, len(seed)+1)
	for index, given := range seed {
		event, err := adopted(given, index)
		if err != nil {
			return nil, err
		}
		log = append(log, event)
	}
	if seed != nil && !endsInMarker(log) {
		log = append(log, Event{endSeed, len(log), now(), Record{}, Record{}})
	}
	return log, nil
}

func endsInMarker(log []Event) bool {
	return len(log) > 0 && log[len(log)-1].Type == endSeed
}

// adopted copies one event of a seed at its place (SEED-1, LOG-1, LOG-3).
func adopted(given any, index int) (Event, error) {
	own, fits := lossless(given)
	if !fits {
		return Event{}, ErrSeedNotJSON
	}
	record, isRecord := own.(Record)
	if !isRecord || !envelopeFits(record) {
		return Event{}, ErrSeedEnvelope
	}
	if record["seq"] != float64(index) {
		return Event{}, ErrSeedSeq
	}
	event := Event{record["type"].(string), index, int64(record["time"].(float64)), record["data"], record}
	for _, key := range []string{"type", "seq", "time", "data"} {
		delete(record, key)
	}
	return event, nil
}

// envelopeFits says whether an event has the envelope's keys and no others, each of its type.
func envelopeFits(event Record) bool {
	for key := range event {
		if !envelope[key] {
			return false
		}
	}
	_, hasData := event["data"]
	ignorable, marked := event["ignorable"]
	return isText(event["type"]) && event["type"] != legacyHeaderDelta &&
		isSafeCount(event["seq"]) && isSafeInteger(event["time"]) &&
		hasData && (!marked || ignorable == true)
}
