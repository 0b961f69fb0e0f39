import { Component, type ReactNode, useEffect } from 'react'
import { getPath } from '../shared/pages.ts'
import { SCRIPTS, sendErrorReport } from './error-reports.ts'

/** In development, Vite's overlay shows the errors of scripts, except on the page that tries the server error page. */
const hasErrorPage = () =>
  import.meta.env.PROD || window.location.pathname === getPath('error-test')

/** Reports the errors of this site's scripts outside React, and calls `fail`. */
export function useScriptErrors(fail: () => void): void {
  useEffect(() => {
    const listen = ({ filename, message, error: thrown }: ErrorEvent) => {
      // Scripts injected by an in-app browser have the document's URL. ResizeObserver errors are harmless.
      if (!filename.startsWith(SCRIPTS) || message.startsWith('ResizeObserver')) return
      sendErrorReport(thrown ?? message)
      if (hasErrorPage()) fail()
    }
    window.addEventListener('error', listen)
    return () => window.removeEventListener('error', listen)
  }, [fail])
}

interface ErrorBoundaryProps {
  fallback: ReactNode
  onError?: () => void
  children: ReactNode
}

export class ErrorBoundary extends Component<ErrorBoundaryProps> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch() {
    if (hasErrorPage()) this.props.onError?.()
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return hasErrorPage() ? this.props.fallback : null
  }
}
