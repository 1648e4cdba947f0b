package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"
)

const (
	tag     = "$hostile"
	deepest = 1000 // a value that is deeper lies in itself
)

type instance struct{ X int }

// hostile makes each kind of value that JSON cannot carry and Go can.
var hostile = map[string]func() any{
	"nan":            func() any { return math.NaN() },
	"infinity":       func() any { return math.Inf(1) },
	"negative-zero":  func() any { return math.Copysign(0, -1) },
	"bigint":         func() any { return big.NewInt(1) },
	"function":       func() any { return func() {} },
	"cycle":          cycle,
	"date":           func() any { return time.Unix(0, 0) },
	"map":            func() any { return map[int]any{} },
	"class-instance": func() any { return &instance{1} },
}

func cycle() any {
	self := record{}
	self["self"] = self
	return self
}

func capabilities() []string {
	claims := []string{}
	for kind := range hostile {
		claims = append(claims, "hostile:"+kind)
	}
	slices.Sort(claims)
	return claims
}

// A value is an argument of any kind, as it was read. It is made anew each time that it is passed,
// because whoever passes it may write to it.
type value struct{ wire json.RawMessage }

func (v *value) UnmarshalJSON(text []byte) error {
	v.wire = slices.Clone(text)
	_, err := decoded(v.wire)
	return err
}

// given says whether the argument is passed at all.
func (v value) given() bool {
	return v.wire != nil
}

// made is the value, or nil where none is given.
func (v value) made() any {
	if !v.given() {
		return nil
	}
	made, err := decoded(v.wire)
	if err != nil {
		panic(err) // it was read before
	}
	return made
}

// decoded makes a value from its form on the wire.
func decoded(wire []byte) (any, error) {
	var plain any
	if err := json.Unmarshal(wire, &plain); err != nil {
		return nil, err
	}
	return untagged(plain)
}

// untagged puts hostile values where they are tagged.
func untagged(plain any) (any, error) {
	var err error
	switch plain := plain.(type) {
	case record:
		if kind, tagged := plain[tag]; tagged {
			return hostileValue(kind)
		}
		for key, item := range plain {
			var fault error
			plain[key], fault = untagged(item)
			err = errors.Join(err, fault)
		}
	case []any:
		for index, item := range plain {
			var fault error
			plain[index], fault = untagged(item)
			err = errors.Join(err, fault)
		}
	}
	return plain, err
}

func hostileValue(kind any) (any, error) {
	text, _ := kind.(string)
	make, known := hostile[text]
	if !known {
		return nil, fmt.Errorf("has the unknown kind %v", kind)
	}
	return make(), nil
}

// shown is a value of the port's in its form on the wire, with nothing hidden that JSON would lose.
func shown(value any, depth int) any {
	if kind := hostileKind(value, depth); kind != "" {
		return record{tag: kind}
	}
	switch value := value.(type) {
	case record:
		wire := record{}
		for key, item := range value {
			wire[key] = shown(item, depth+1)
		}
		return wire
	case []any:
		wire := make([]any, len(value))
		for index, item := range value {
			wire[index] = shown(item, depth+1)
		}
		return wire
	default:
		return value
	}
}

// hostileKind is the kind of a hostile value, or nothing.
func hostileKind(value any, depth int) string {
	switch value := value.(type) {
	case float64:
		return hostileNumber(value)
	case *big.Int:
		return "bigint"
	case func():
		return "function"
	case time.Time:
		return "date"
	case map[int]any:
		return "map"
	case *instance:
		return "class-instance"
	}
	if depth > deepest {
		return "cycle"
	}
	return ""
}

func hostileNumber(number float64) string {
	switch {
	case math.IsNaN(number):
		return "nan"
	case math.IsInf(number, 0):
		return "infinity"
	case number == 0 && math.Signbit(number):
		return "negative-zero"
	}
	return ""
}
