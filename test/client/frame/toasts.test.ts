import { jest } from '@jest/globals'
import { createToasts } from '../../../client/frame/toasts.tsx'

const TEXTS = { variant: 'default', title: 'Un', description: '' } as const

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

test('only the newest toast is shown', () => {
  const toasts = createToasts()
  toasts.show(TEXTS)
  toasts.show({ ...TEXTS, title: 'Deux' })
  expect(toasts.get()).toEqual({ ...TEXTS, title: 'Deux', id: 2, open: true })
})

test('a dismissed toast is closed at once, and removed after 1,000,000 ms', () => {
  const toasts = createToasts()
  const listener = jest.fn()
  toasts.subscribe(listener)
  toasts.show(TEXTS)
  toasts.dismiss(1)
  expect(toasts.get()).toEqual({ ...TEXTS, id: 1, open: false })
  jest.advanceTimersByTime(999_999)
  expect(toasts.get()).toBeDefined()
  jest.advanceTimersByTime(1)
  expect(toasts.get()).toBeUndefined()
  expect(listener).toHaveBeenCalledTimes(3)
})
