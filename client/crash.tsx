import { Component, type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'

/** Number of reports that a document may still send: an error in a timer would otherwise be reported without end. */
let reportsLeft = 5

async function postErrorReport(error: unknown): Promise<void> {
  if (reportsLeft === 0) return
  reportsLeft -= 1
  const message = String(error).slice(0, 500)
  const stack = error instanceof Error ? String(error.stack).slice(0, 4000) : ''
  const body = JSON.stringify({ message, stack, path: window.location.pathname })
  const headers = { 'Content-Type': 'application/json' }
  const request = { method: 'POST', headers, body, keepalive: true }
  const { status } = await fetch('/api/client-errors', request)
  if (status === 429) reportsLeft = 0
}

/** Reports a script error to the server, which limits and logs the reports. Never throws. */
export function sendErrorReport(error: unknown): void {
  postErrorReport(error).catch(() => {})
}

/** The URL of the folder of this site's scripts: `https://…/assets/` in a build. */
const SCRIPTS = import.meta.url.replace(/[^/]*$/, '')

/** Reports unhandled rejections of this site's scripts. They do not show the error page: the page goes on working. */
export function reportRejections(): void {
  window.addEventListener('unhandledrejection', ({ reason }) => {
    if (String(reason?.stack).includes(SCRIPTS)) sendErrorReport(reason)
  })
}

/** Scripts injected by an in-app browser have the document's URL. ResizeObserver errors are harmless. */
function isOwnError({ filename, message }: ErrorEvent): boolean {
  return filename.startsWith(SCRIPTS) && !message.startsWith('ResizeObserver')
}

/** Returns a flag, true after a script error of this site on the current page, and the function that sets the flag. */
export function useCrash(): [boolean, () => void] {
  const location = useLocation()
  const isLinked = useNavigationType() !== 'POP'
  const [crashedAt, setCrashedAt] = useState<typeof location>()
  // A link to the failed page shows it again. A link within it, such as the skip link, is a POP.
  const isCrashedHere =
    crashedAt?.pathname === location.pathname && (!isLinked || crashedAt.key === location.key)
  if (crashedAt && !isCrashedHere) setCrashedAt(undefined)
  const crash = useCallback(() => setCrashedAt(location), [location])
  useEffect(() => {
    const listen = (event: ErrorEvent) => {
      if (!isOwnError(event)) return
      sendErrorReport(event.error ?? event.message)
      crash()
    }
    window.addEventListener('error', listen)
    return () => window.removeEventListener('error', listen)
  }, [crash])
  return [isCrashedHere, crash]
}

interface ErrorBoundaryProps {
  fallback: ReactNode
  onError?: () => void
  children: ReactNode
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch() {
    this.props.onError?.()
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
