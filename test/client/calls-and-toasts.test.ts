import { jest } from '@jest/globals'
import { ApiError, apiRequest } from '../../client/api.ts'
import { postContact, toContactRefusal } from '../../client/form/contact-request.ts'
import { createToasts } from '../../client/frame/toasts.ts'
import { createQueryClient, createQueryFunction } from '../../client/query-client.ts'
import { storedConsent, storedLanguage } from '../../client/storage.ts'
import { VALID } from '../../tools/harness/client.ts'

let answer: Response
let calls: [string, RequestInit | undefined][]
beforeEach(() => {
  calls = []
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (address, init) => {
    calls.push([String(address), init])
    return answer
  })
})
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

const query = (on401: 'throw' | 'null', ...queryKey: string[]) =>
  createQueryFunction({ on401 })({ queryKey } as unknown as Parameters<
    ReturnType<typeof createQueryFunction>
  >[0])

test.each([
  ['https:', '; SameSite=Lax; Secure'],
  ['http:', '; SameSite=Lax'],
])('over %s the cookies of the choices end with %s', (protocol, end) => {
  const cookies: string[] = []
  const document = Object.defineProperty({}, 'cookie', { set: (text) => cookies.push(text) })
  Object.assign(globalThis, { window: { location: { protocol } }, document })
  storedLanguage.write('en')
  storedConsent.write('accepted')
  expect(cookies.map((text) => text.slice(-end.length))).toEqual([end, end])
})

test('a message is given up after 30 s without an answer, not before', async () => {
  jest.useFakeTimers()
  answer = Response.json({})
  await postContact({ payload: VALID, language: 'fr' })
  const signal = calls[0]?.[1]?.signal
  jest.advanceTimersByTime(29_999)
  expect(signal?.aborted).toBe(false)
  jest.advanceTimersByTime(1)
  expect(signal?.aborted).toBe(true)
})

test('a request always sends cookies, and a content type only with a payload', async () => {
  answer = Response.json({})
  await apiRequest('GET', '/api/x')
  await apiRequest('POST', '/api/x', { a: 1 }, { Accept: 'text/plain' })
  expect(calls).toEqual([
    ['/api/x', { method: 'GET', credentials: 'include', headers: {}, body: undefined }],
    [
      '/api/x',
      {
        method: 'POST',
        credentials: 'include',
        headers: { Accept: 'text/plain', 'Content-Type': 'application/json' },
        body: '{"a":1}',
      },
    ],
  ])
})

test.each([
  [503, '503: Service Unavailable'],
  [502, '502: Bad Gateway'],
  [599, undefined],
])('an empty answer %d without a status text (HTTP/2) is the error %s', async (status, text) => {
  answer = new Response(null, { status, headers: { 'Retry-After': '90' } })
  const error = await apiRequest('GET', '/api/x').catch((thrown) => thrown)
  expect(error).toBeInstanceOf(ApiError)
  const expected = { status, sentence: text, retryAfterSeconds: 90 }
  expect(toContactRefusal(error)).toMatchObject(expected)
})

test('a query fetches the parts of its key joined with slashes, as JSON', async () => {
  answer = Response.json({ a: 1 })
  expect(await query('throw', '/api', 'thing', '7')).toEqual({ a: 1 })
  expect(calls).toEqual([['/api/thing/7', { credentials: 'include' }]])
})

test('401 is an error, or null with `on401: null`', async () => {
  answer = new Response('no', { status: 401 })
  expect(await query('null', '/api/me')).toBeNull()
  await expect(query('throw', '/api/me')).rejects.toThrow('401: no')
})

test('data never becomes stale, and nothing is fetched again by itself', () => {
  const { queries, mutations } = createQueryClient().getDefaultOptions()
  expect(queries).toMatchObject({
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    retry: false,
  })
  expect(mutations).toMatchObject({ retry: false })
})

test('only the newest toast is shown', () => {
  const toasts = createToasts()
  toasts.show('sent')
  toasts.show('language-failed')
  expect(toasts.get()).toEqual({ subject: 'language-failed', id: 2, open: true })
})

test('a dismissed toast is closed at once, and removed after 1,000,000 ms', () => {
  jest.useFakeTimers()
  const toasts = createToasts()
  const listener = jest.fn()
  toasts.subscribe(listener)
  toasts.show('sent')
  toasts.dismiss()
  expect(toasts.get()).toEqual({ subject: 'sent', id: 1, open: false })
  jest.advanceTimersByTime(999_999)
  expect(toasts.get()).toBeDefined()
  jest.advanceTimersByTime(1)
  expect(toasts.get()).toBeUndefined()
  expect(listener).toHaveBeenCalledTimes(3)
})
