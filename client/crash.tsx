import { Component, type ReactNode, useEffect } from 'react'
import { SCRIPTS, sendErrorReport } from './error-reports.ts'

/** Reports the errors of this site's scripts outside React, and calls `fail`. */
export function useScriptErrors(fail: () => void): void {
  useEffect(() => {
    const listen = ({ filename, message, error: thrown }: ErrorEvent) => {
      // Scripts injected by an in-app browser have the document's URL. ResizeObserver errors are harmless.
      if (!filename.startsWith(SCRIPTS) || message.startsWith('ResizeObserver')) return
      sendErrorReport(thrown ?? message)
      fail()
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
    this.props.onError?.()
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children
  }
}
