module dshport

go 1.23
