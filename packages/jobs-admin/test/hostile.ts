/** Values that have broken other servers: nothing in them may end as anything but a refusal or an empty answer. */
export const strangeTexts = [
  ...[
    "'; drop table users; --",
    '1 or 1=1',
    "' union select null,null--",
    '\\x00',
    '%',
    '_',
    '$1',
    '#{7*7}',
    '{{7*7}}',
    '<script>alert(1)</script>',
  ],
  ...['\0', 'a\0b', '\ud800', 'x\udfff', '\u202egnp.exe', '\ufeff', '\r\nset-cookie: a=b', 'a\u2028b', '\u0007\u001b[31m', '💥'.repeat(60)],
  ...[
    'a'.repeat(201),
    'a'.repeat(5_000),
    '../../../etc/passwd',
    'file:///etc/passwd',
    'NaN',
    'Infinity',
    '-0',
    '1e400',
    '0x7f',
    'null',
    'undefined',
  ],
  ...[
    '99999999999999999999999999',
    '-1',
    '9007199254740993',
    '2147483648',
    '00000000-0000-0000-0000-000000000000',
    'true',
    '[]',
    '{}',
    '__proto__',
  ],
  ...[
    'constructor',
    'toString',
    'hasOwnProperty',
    '%00',
    '%ff%fe',
    '(a+)+$',
    '.*',
    '9999-99-99',
    '0000-01-01T00:00:00Z',
    '275760-09-13',
    '2026-02-30T25:61:61Z',
  ],
]

export const strangeValues: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [[]], [null], { a: 1 }, nested(20), nested(40), Array(1_001).fill('x')],
  ...[{ toString: 'x' }, { $ne: null }, { length: 1e9 }],
  ...strangeTexts,
]

/** Bodies as text, that JSON.stringify would not write. */
export const strangeBodies = [
  ...[
    '',
    ' ',
    '{',
    '[]',
    '"x"',
    'null',
    '1',
    'true',
    '{}{}',
    '{"job_id":}',
    "{'job_id': 1}",
    '{"job_id": undefined}',
    '\ufeff{}',
    '{"a":1,}',
  ],
  ...[
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"job_id":"x","__proto__":null}',
    '{"a":{"b":{"__proto__":1}}}',
  ],
  ...['{"job_id":1e999}', `{"job_id":${'9'.repeat(10_000)}}`, `{"a":${'['.repeat(50_000)}`, `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
  ...[`{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`, '{"job_id":"\\ud800"}', '{"job_id":"\\u0000"}', `{"${'k'.repeat(60_000)}":1}`],
  ...[
    JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key${n}`, n]))),
    '{"job_id":"a","job_id":"b"}',
    '\0',
    '\u2028',
  ],
]

export const strangeHeaders: Record<string, string>[] = [
  ...[
    { accept: 'application/json'.repeat(500) },
    { accept: 'application/json;q=NaN' },
    { accept: '*/*,,;;q=' },
    { 'if-none-match': '"'.repeat(3_000) },
  ],
  ...[
    { 'if-none-match': 'W/"x", *, ,' },
    { 'x-forwarded-host': 'evil.example' },
    { host: 'evil.example' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
  ],
  ...[
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'text/json' },
    { 'content-type': 'application/json, text/plain' },
  ],
  ...[
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'SAME-ORIGIN' },
    { 'last-event-id': 'x'.repeat(5_000) },
    { cookie: 'a='.repeat(2_000) },
  ],
]

function nested(levels: number): object {
  let value: object = {}
  for (let level = 0; level < levels; level++) value = { a: value }
  return value
}
