// SPDX-License-Identifier: GPL-2.0
/*
 * st_json - checks that standard input is one JSON text (RFC 8259), and prints
 * members of it
 *
 * usage: st_json [PATH...]
 *
 * A PATH consists of names and indices, such as 0.errors.cksum; # as the last
 * is the number of members.  Prints a line for each: strings without quotes.
 * Exits with 1 if the text is no JSON, lacks such a member, or has two of a
 * name.
 */
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TEXT	(16 << 20)
#define MAX_DEPTH	16

static char text[MAX_TEXT + 1];
static const char *at;
static bool found;

static void value(const char *path, unsigned int depth);

static void wrong(const char *what)
{
	errx(1, "%s at byte %td: %.40s", what, at - text, at);
}

static void blanks(void)
{
	at += strspn(at, " \t\r\n");
}

static void expect(char c)
{
	if (*at != c)
		errx(1, "'%c' is missing at byte %td: %.40s", c, at - text, at);
	at++;
}

/* The rest of the path below a member of this name, or NULL. */
static const char *below(const char *path, const char *name, size_t len)
{
	if (!path || strncmp(path, name, len) || (path[len] != '.' && path[len]))
		return NULL;
	return path[len] ? path + len + 1 : path + len;
}

static void print(const char *start, size_t len)
{
	if (found)
		errx(1, "there are two");
	found = true;
	printf("%.*s\n", (int)len, start);
}

static void skip_string(void)
{
	expect('"');
	while (*at != '"') {
		if ((unsigned char)*at < ' ')
			wrong("control character in a string");
		if (*at++ != '\\')
			continue;
		if (*at == 'u' && strspn(at + 1, "0123456789abcdefABCDEF") >= 4)
			at += 5;
		else if (*at && strchr("\"\\/bfnrt", *at))
			at++;
		else
			wrong("bad escape");
	}
	at++;
}

static void digits(void)
{
	size_t n = strspn(at, "0123456789");

	if (!n)
		wrong("digit is missing");
	at += n;
}

static void number(void)
{
	if (*at == '-')
		at++;
	if (*at == '0')
		at++;
	else
		digits();
	if (*at == '.') {
		at++;
		digits();
	}
	if (*at == 'e' || *at == 'E') {
		at++;
		if (*at == '+' || *at == '-')
			at++;
		digits();
	}
}

static void object(const char *path, unsigned int depth, unsigned int *count)
{
	const char *name;
	size_t len;

	expect('{');
	blanks();
	while (*at != '}') {
		if ((*count)++) {
			expect(',');
			blanks();
		}
		name = at + 1;
		skip_string();
		len = at - 1 - name;
		blanks();
		expect(':');
		value(below(path, name, len), depth);
	}
	at++;
}

static void array(const char *path, unsigned int depth, unsigned int *count)
{
	char index[16];
	int len;

	expect('[');
	blanks();
	while (*at != ']') {
		if (*count) {
			expect(',');
			blanks();
		}
		len = snprintf(index, sizeof(index), "%u", (*count)++);
		value(below(path, index, len), depth);
	}
	at++;
}

static void word(const char *w)
{
	if (strncmp(at, w, strlen(w)))
		wrong("no value");
	at += strlen(w);
}

/* A value; prints it where the path ends, as "" does. */
static void value(const char *path, unsigned int depth)
{
	unsigned int count = 0;
	const char *start;
	char n[16];

	if (depth > MAX_DEPTH)
		wrong("too deep");
	blanks();
	start = at;
	switch (*at) {
	case '{':
		object(path, depth + 1, &count);
		break;
	case '[':
		array(path, depth + 1, &count);
		break;
	case '"':
		skip_string();
		break;
	case 't':
		word("true");
		break;
	case 'f':
		word("false");
		break;
	case 'n':
		word("null");
		break;
	default:
		number();
	}
	if (path && !strcmp(path, "#") && (*start == '{' || *start == '['))
		print(n, snprintf(n, sizeof(n), "%u", count));
	else if (path && !*path && *start == '"')
		print(start + 1, at - start - 2);
	else if (path && !*path)
		print(start, at - start);
	blanks();
}

int main(int argc, char **argv)
{
	size_t len = fread(text, 1, MAX_TEXT, stdin);
	int i = 1;

	if (len == MAX_TEXT || strlen(text) != len)
		errx(1, "too long, or a zero byte in it");
	do {
		at = text;
		found = false;
		value(i < argc ? argv[i] : NULL, 0);
		if (*at)
			wrong("more than one value");
		if (i < argc && !found)
			errx(1, "no %s in: %s", argv[i], text);
	} while (++i < argc);
	return 0;
}
