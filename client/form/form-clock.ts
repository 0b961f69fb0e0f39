/** `startTime` is sent to the server, in epoch ms; `elapsed` is measured in the browser, in ms. */
export interface FormClock {
  startTime: string
  elapsed(): number
}

/**
 * If the server rendered the form, `startTime` is the server's time, and `elapsed` counts from the first byte of the
 * response. That byte comes after `startTime`, so `elapsed` is never too long. A form opened by client routing has
 * the browser's time.
 */
export function createFormClock(serverTime?: string): FormClock {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const opened = serverTime ? (navigation?.responseStart ?? 0) : performance.now()
  return {
    startTime: serverTime ?? String(Date.now()),
    elapsed: () => performance.now() - opened,
  }
}
