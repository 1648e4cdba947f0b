package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// A request is one line of the suite's that was read.
type request struct {
	n       *int
	does    string
	command command // what it asks for, unless it is about the adapter itself
}

// A command is what a client asks for, with its arguments: it gives an outcome or is refused.
type command func(w *world, on subject) (record, error)

// A reader reads the arguments of one command.
type reader func(line []byte) (command, error)

// read reads one request. Where there is a fault, the request has at least its number, if that is there.
func read(line []byte) (request, error) {
	var head struct {
		N        *int
		Do       string
		Protocol int
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return request{}, errors.New("the line is no request")
	}
	request := request{n: head.N, does: head.Do}
	if head.N == nil {
		return request, errors.New("the request has no number")
	}
	if head.Do == "hello" && head.Protocol != protocol {
		return request, fmt.Errorf("this adapter speaks protocol %d", protocol)
	}
	var err error
	request.command, err = readWith(requestReader, line)
	return request, err
}

// requestReader knows what can be asked for from outside: any command, and what is made of commands.
func requestReader(does string) reader {
	switch does {
	case "hello":
		return reading(answeredByMain[greeting])
	case "reset", "bye":
		return reading(answeredByMain[struct{}])
	case "react":
		return reading(react)
	case "together":
		return reading(together)
	}
	return commandReader(does)
}

type greeting struct {
	Protocol int `arg:"protocol"`
}

// answeredByMain stands for what is about the adapter itself and no command to the port.
func answeredByMain[Arguments any](*world, Arguments, subject) (record, error) {
	return nil, nil
}

// UnmarshalJSON reads a command that stands inside another.
func (c *command) UnmarshalJSON(text []byte) (err error) {
	*c, err = readWith(commandReader, text)
	return err
}

func readWith(known func(does string) reader, text []byte) (command, error) {
	var head struct{ Do string }
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, errors.New("is no command")
	}
	read := known(head.Do)
	if read == nil {
		return nil, fmt.Errorf("the command %q is not known here", head.Do)
	}
	command, err := read(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", head.Do, err)
	}
	return command, nil
}

// reading is the reader of a command that takes such arguments.
func reading[Arguments any](perform func(*world, Arguments, subject) (record, error)) reader {
	return func(text []byte) (command, error) {
		var arguments Arguments
		if err := object(text, &arguments, "do", "n"); err != nil {
			return nil, err
		}
		return func(w *world, on subject) (record, error) { return perform(w, arguments, on) }, nil
	}
}

// object reads an object into a struct, whose fields say in their tags what they are called, and
// whether they may be absent. Other keys than these and those to pass over are a fault.
func object(text []byte, into any, passOver ...string) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil || given == nil {
		return errors.New("is no object")
	}
	for _, key := range passOver {
		delete(given, key)
	}
	fields := reflect.ValueOf(into).Elem()
	for index := range fields.NumField() {
		key, optional, _ := strings.Cut(fields.Type().Field(index).Tag.Get("arg"), ",")
		text, there := given[key]
		delete(given, key)
		if !there && optional == "" {
			return fmt.Errorf("%s is missing", key)
		} else if !there {
			continue
		}
		if err := json.Unmarshal(text, fields.Field(index).Addr().Interface()); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	for key := range given {
		return fmt.Errorf("%s is not an argument", key)
	}
	return nil
}

// A name is how a command names something.
type name string

func (n *name) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, (*string)(n)); err != nil || *n == "" {
		return errors.New("is no name")
	}
	return nil
}

// A handle is a name that a command gives.
type handle struct{ name }

func (h *handle) UnmarshalJSON(text []byte) error {
	if err := json.Unmarshal(text, &h.name); err != nil {
		return err
	}
	if strings.HasPrefix(string(h.name), "@") {
		return errors.New("starts with @")
	}
	return nil
}
