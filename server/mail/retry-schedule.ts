import { MAX_RETRY_MS } from './schedule.ts'

export const RETRY_SCHEDULE = { longest: MAX_RETRY_MS }
