import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as business from '../../shared/constants.ts'

const tokens = readFileSync(join(import.meta.dirname, '../../client/styles/tokens.css'), 'utf8')

function readDuration(name: string): number | undefined {
  const [, number, unit] = new RegExp(`${name}:\\s*([\\d.]+)(ms|s)\\b`).exec(tokens) ?? []
  return number === undefined ? undefined : Number(number) * (unit === 's' ? 1000 : 1)
}

test('the splash has the same durations in style sheet and script', () => {
  expect(readDuration('--splash-duration')).toBe(business.SPLASH_MS)
  expect(readDuration('--splash-exit')).toBe(business.SPLASH_EXIT_MS)
})

test('the constants have the values that the firm requires', () => {
  expect(business).toMatchObject({
    MIN_FILL_MS: 3000,
    MESSAGE_MIN_LENGTH: 10,
    MESSAGE_MAX_LENGTH: 2000,
    CONTACT_LIMIT: 2,
    CONTACT_WINDOW_MINUTES: 60,
    SPLASH_MS: 2500,
    SPLASH_EXIT_MS: 500,
    LANGUAGE_KEY: 'rg-language',
    CONSENT_KEY: 'cookie-consent',
    CONSENT_CHOICES: ['accepted', 'necessary-only'],
    TOAST_LIMIT: 1,
    TOAST_MS: 5000,
    TOAST_REMOVE_DELAY_MS: 1_000_000,
    TOAST_SWIPE_DIRECTION: 'right',
    TOAST_SWIPE_THRESHOLD_PX: 50,
    TOAST_HOTKEY: 'F8',
    TOOLTIP_DELAY_MS: 700,
    TOOLTIP_SKIP_DELAY_MS: 300,
    SERVICE_IDS: ['public-safety', 'francophone', 'health-safety', 'animal-aid'],
    TRAP_FIELDS: ['website', 'url', 'phone_hidden'],
  })
})
