/** `startTime` is sent to the server, in epoch ms; `elapsed` is measured in the browser, in ms. */
export interface FormClock {
  startTime: string
  elapsed(): number
}

/** The first byte of a response comes after the server's time, so `elapsed` is never too long. */
export function createFormClock(serverTime?: string): FormClock {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const opened = serverTime ? (navigation?.responseStart ?? 0) : performance.now()
  return {
    startTime: serverTime ?? String(Date.now()),
    elapsed: () => performance.now() - opened,
  }
}
