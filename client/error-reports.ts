/** Number of reports that a document may still send: an error in a timer would otherwise be reported without end. */
let reportsLeft = 5

async function postErrorReport(error: unknown): Promise<void> {
  if (reportsLeft === 0) return
  reportsLeft -= 1
  const message = String(error).slice(0, 500)
  const stack = error instanceof Error ? String(error.stack).slice(0, 4000) : ''
  const { status } = await fetch('/api/browser-errors', {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ message, stack, path: window.location.pathname }),
    keepalive: true,
  })
  if (status === 429) reportsLeft = 0
}

/** Reports a script error to the server, which limits and logs the reports. Never throws. */
export function sendErrorReport(error: unknown): void {
  postErrorReport(error).catch(() => {})
}

/** Reports an error that was caught. In development it counts as uncaught, so that console, log and Vite's overlay show it. */
export function reportCaught(error: unknown): void {
  if (import.meta.env.DEV) reportError(error)
  else sendErrorReport(error)
}

/** The URL of the folder of this site's scripts: `https://…/assets/` in a build. */
export const SCRIPTS = import.meta.url.replace(/[^/]*$/, '')

/** Reports unhandled rejections of this site's scripts. They do not show the error page: the page goes on working. */
export function reportRejections(): void {
  window.addEventListener('unhandledrejection', ({ reason }) => {
    if (String(reason?.stack).includes(SCRIPTS)) sendErrorReport(reason)
  })
}
