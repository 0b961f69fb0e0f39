import { useCallback, useState } from 'react'
import { createPath, useLocation, useNavigationType } from 'react-router-dom'
import { findPage, getPage, type PageId } from '../../shared/pages.ts'
import { useSite } from './site-provider.tsx'

/** The page of the URL, or an error page in its place: the server has sent one, or a script has failed and called `fail`. */
export function useShownPage() {
  const { page: sent } = useSite().documentState
  const location = useLocation()
  const navigation = useNavigationType()
  const routed = findPage(location.pathname) ?? getPage('not-found')
  const first: PageId | undefined = routed.id === sent ? undefined : sent
  const [shown, setShown] = useState({ location, error: first })
  if (shown.location !== location) {
    // A link shows the page again, also a link to the same URL. Another language and a link within the page do not.
    const stays =
      navigation === 'POP'
        ? location.pathname === shown.location.pathname
        : navigation === 'REPLACE' && createPath(location) !== createPath(shown.location)
    setShown({ location, error: stays ? shown.error : undefined })
  }
  const fail = useCallback(() => setShown({ location, error: 'server-error' }), [location])
  return { page: shown.error ? getPage(shown.error) : routed, fail }
}
