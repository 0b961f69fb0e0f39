import { Component, type ReactNode, useCallback, useEffect, useState } from 'react'
import { useLocation, useNavigationType } from 'react-router-dom'
import { findPage, getPage, getPath, type PageId } from '../shared/pages.ts'
import { SCRIPTS, sendErrorReport } from './error-reports.ts'

/** In development, Vite's overlay shows the errors of scripts, except on the page that tries the server error page. */
const hasErrorPage = () =>
  import.meta.env.PROD || window.location.pathname === getPath('error-test')

/**
 * The page to show: that of the URL, or an error page in its place. The server has sent one (`sent`), or a script of this
 * site has failed, which `crash` also says.
 */
export function useShownPage(sent: PageId) {
  const location = useLocation()
  const isLinked = useNavigationType() !== 'POP'
  const routed = findPage(location.pathname) ?? getPage('not-found')
  const [error, setError] = useState(routed.id === sent ? undefined : { page: sent, location })
  // A link to the failed page shows it again. A link within it, such as the skip link, is a POP.
  const isError =
    error?.location.pathname === location.pathname &&
    (!isLinked || error.location.key === location.key)
  if (error && !isError) setError(undefined)
  const crash = useCallback(() => {
    if (hasErrorPage()) setError({ page: 'server-error', location })
  }, [location])
  useEffect(() => {
    const listen = ({ filename, message, error: thrown }: ErrorEvent) => {
      // Scripts injected by an in-app browser have the document's URL. ResizeObserver errors are harmless.
      if (!filename.startsWith(SCRIPTS) || message.startsWith('ResizeObserver')) return
      sendErrorReport(thrown ?? message)
      crash()
    }
    window.addEventListener('error', listen)
    return () => window.removeEventListener('error', listen)
  }, [crash])
  return { page: isError ? getPage(error.page) : routed, isError, crash }
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
    if (!this.state.failed) return this.props.children
    return hasErrorPage() ? this.props.fallback : null
  }
}
