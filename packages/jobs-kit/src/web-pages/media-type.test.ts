import { expect, test } from 'vitest'
import { kindOf, mayBePage, parseMediaType } from './media-type.ts'

test.each([
  ['text/html; charset=UTF-8', { type: 'text/html', charset: 'UTF-8' }],
  [' Text/HTML ;x=y; Charset="iso-8859-1"', { type: 'text/html', charset: 'iso-8859-1' }],
  ['text/html;charset=', { type: 'text/html', charset: undefined }],
  [undefined, { type: '', charset: undefined }],
])('%s', (header, type) => expect(parseMediaType(header)).toEqual(type))

test.each<[string, string, string | undefined]>([
  ['text/html', 'hei', 'html'],
  ['text/html', '%PDF-1.7', 'pdf'],
  ['text/html', '<p>En PDF begynner med %PDF-1.7</p>', 'html'],
  ['text/plain', 'En PDF begynner med %PDF-1.7', 'text'],
  ['application/octet-stream', '\n%PDF-1.4', 'pdf'],
  ['application/pdf', '<html>', undefined],
  ['text/markdown', '# Hei', 'text'],
  ['', '<!DOCTYPE html>', 'html'],
  ['', '\ufeff<html>', 'html'],
  ['', 'Hei', 'text'],
  ['', 'PK\0\0', undefined],
  ['application/octet-stream', 'Hei', undefined],
  ['application/octet-stream', '<!doctype html>', 'html'],
  ['image/png', '<html>', undefined],
  ['constructor', '<html>', undefined],
])('said to be %j, and %j: %s', (type, body, kind) => expect(kindOf(type, Buffer.from(body))).toBe(kind))

test('what is surely no page is not read at all', () => {
  expect(['text/html', '', 'application/octet-stream', 'application/pdf'].map(mayBePage)).toEqual([true, true, true, true])
  expect(['image/png', 'application/json', 'application/rss+xml', 'video/mp4', 'toString'].map(mayBePage)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})
