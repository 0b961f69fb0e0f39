import { useQueryClient } from '@tanstack/react-query'
import { Hero } from '../components/hero.tsx'
import { useSite } from '../frame/site-provider.tsx'
import { CELLS } from './errors.tsx'

export function ErrorTest() {
  const { test: texts } = useSite().texts.errors
  const queryClient = useQueryClient()
  const call = (name: string) => {
    queryClient.fetchQuery({ queryKey: ['/api', name] }).then(console.log, console.log)
  }
  const fail = () => {
    throw new Error('Thrown by the test page')
  }
  return (
    <Hero texts={texts} cells={CELLS} error>
      <button className="button" type="button" onClick={() => call('nonexistent-endpoint')}>
        {texts.missing}
      </button>
      <button className="button" type="button" onClick={() => call('test-error')}>
        {texts.failing}
      </button>
      <button className="button" type="button" onClick={fail}>
        {texts.throwing}
      </button>
    </Hero>
  )
}
