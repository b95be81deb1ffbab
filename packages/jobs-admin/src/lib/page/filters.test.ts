import { describe, expect, test } from 'vitest'
import { activeParts, filterQuery, nextPageQuery, readFilter, without } from './filters.ts'

describe('the filter in the address', () => {
  test('is read with commas and repeated, and without what is no state', () => {
    expect(readFilter('status=error,running&status=pending,nonsense&type=a&type=b,a&since=24h')).toMatchObject({
      status: ['running', 'pending', 'error'],
      type: ['a', 'b'],
      since: '24h',
      search: '',
    })
    expect([readFilter('since=2000y').since, readFilter('mine=1').mine]).toEqual(['', ''])
  })

  test('comes back as it was read', () => {
    const query = '?status=running,error&type=a,b&collection_id=c&since=7d&error_group=g&search=%C3%A6+%26&mine=true'
    expect(filterQuery(readFilter(query.slice(1)))).toBe(query)
    expect(filterQuery(readFilter(''))).toBe('')
  })

  test('knows its parts, and drops one, or one value', () => {
    const filter = readFilter('status=running,error&search=x')
    expect(activeParts(filter)).toEqual(['status', 'search'])
    expect(filterQuery(without(filter, 'status', 'running'))).toBe('?status=error&search=x')
    expect(filterQuery(without(filter, 'status'))).toBe('?search=x')
    expect(filterQuery(without(filter, 'search'))).toBe('?status=running,error')
  })

  test('goes to the next page, from an offset as well', () => {
    expect(nextPageQuery('status=error&offset=50&cursor=old', 'new')).toBe('?status=error&cursor=new')
  })
})
