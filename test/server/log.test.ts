import { InboxUnavailable } from '../../server/inbox/inbox.ts'
import { describeError } from '../../server/log.ts'

const CANARY = 'Kanarienvogel'

test('an error is described by its type and its place, not by its message', () => {
  const cause = Object.assign(new RangeError(`at ${CANARY}:1:2`), { code: 'ERR_FIXED' })
  const error = Object.assign(new TypeError(`no\n    at ${CANARY} (file:1:2)\nend`, { cause }), {
    code: `${CANARY} code`,
    body: CANARY,
  })
  const description = describeError(error)
  expect(description).toMatchObject({ type: 'TypeError', cause: { code: 'ERR_FIXED' } })
  expect(description.frames?.[0]).toMatch(/log\.test\.ts:\d+:\d+/)
  expect(JSON.stringify(description)).not.toContain(CANARY)
})

test('a changed message does not leak the first one', () => {
  const error = new Error(`${CANARY}\n    at ${CANARY}`)
  error.message = 'another'
  error.name = `${CANARY} of mine`
  expect(JSON.stringify(describeError(error))).not.toContain(CANARY)
})

test('the fixed message of our own errors is kept', () => {
  const { message } = describeError(new InboxUnavailable('full'))
  expect(message).toBe('The inbox is unavailable: full')
})

test.each([undefined, null, CANARY, { message: CANARY }])(
  'a thrown value that is not an error leaks nothing: %j',
  (thrown) => {
    expect(JSON.stringify(describeError(thrown))).not.toContain(CANARY)
  },
)
