import { describe, expect, test } from 'vitest'
import { isConnectionLoss, isContention, isRefusal, isTlsRefusal, sqlState } from './sql-state.ts'

const error = (code?: string, message = 'x') => Object.assign(new Error(message), { code })

describe('errors of the database', () => {
  test.each(['40001', '40P01', '55P03', '57014'])('%s is contention', (code) => {
    expect([isContention(error(code)), isConnectionLoss(error(code))]).toEqual([true, false])
  })

  test.each(['08006', '57P01', '57P02', '57P03', '53300', '25006', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])(
    '%s is a lost connection',
    (code) => {
      expect([isContention(error(code)), isConnectionLoss(error(code))]).toEqual([false, true])
    },
  )

  test.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'timeout exceeded when trying to connect',
    'Query read timeout',
  ])('"%s" is a lost connection', (message) => {
    expect(isConnectionLoss(error(undefined, message))).toBe(true)
  })

  test.each([error('23505'), error('22P05'), error('22021'), error('42P01'), error(), undefined, null, 'text', 5, {}])(
    'anything else is neither (%#)',
    (other) => {
      expect([isContention(other), isConnectionLoss(other)]).toEqual([false, false])
    },
  )

  test.each([error('28P01'), error('28000'), error('3D000')])('$code is a refusal', (refusal) => {
    expect([isRefusal(refusal), isTlsRefusal(refusal), isConnectionLoss(refusal)]).toEqual([true, false, false])
  })

  test.each([
    error(undefined, 'The server does not support SSL connections'),
    error('DEPTH_ZERO_SELF_SIGNED_CERT'),
    error('SELF_SIGNED_CERT_IN_CHAIN'),
    error('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
    error('CERT_HAS_EXPIRED'),
    error('ERR_TLS_CERT_ALTNAME_INVALID'),
  ])('TLS that cannot be had is a refusal ($code, $message)', (refusal) => {
    expect([isRefusal(refusal), isTlsRefusal(refusal), isConnectionLoss(refusal)]).toEqual([true, true, false])
  })

  test.each([error('ECONNREFUSED'), error('57P03'), error('53300'), error('23505'), error(), undefined, 'text'])(
    'what may be over in a moment, or is something else, is none (%#)',
    (other) => {
      expect([isRefusal(other), isTlsRefusal(other)]).toEqual([false, false])
    },
  )

  test('a missing file is not a missing database, a missing socket is', () => {
    expect(isConnectionLoss(Object.assign(error('ENOENT'), { syscall: 'open' }))).toBe(false)
    expect(isConnectionLoss(Object.assign(error('ENOENT'), { syscall: 'connect' }))).toBe(true)
  })

  test('sqlState takes nothing for one that is none', () => {
    expect(sqlState(error('42P01'))).toBe('42P01')
    for (const other of [error('ECONNRESET'), error('42p01'), error('123456'), { code: 42 }, undefined, null, 'x']) {
      expect(sqlState(other)).toBeUndefined()
    }
  })
})
