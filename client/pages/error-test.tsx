import { Hero } from '../components/hero.tsx'
import { queryClient } from '../form/queries.ts'
import type { ViewProps } from '../frame/site-context.ts'

export function ErrorTest({ texts }: ViewProps<'error-test'>) {
  const call = (name: string) => {
    queryClient.fetchQuery({ queryKey: ['/api', name] }).then(console.log, console.log)
  }
  const fail = () => {
    throw new Error('Thrown by the test page')
  }
  return (
    <Hero texts={texts} error>
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
