import { useQueryClient } from '@tanstack/react-query'
import { Hero } from '../components/petals.tsx'
import { Queries } from '../form/api.tsx'
import type { ViewProps } from '../frame/site-context.ts'

export function ErrorTest({ texts }: ViewProps<'error-test'>) {
  return (
    <Queries>
      <Buttons texts={texts} />
    </Queries>
  )
}

function Buttons({ texts }: Pick<ViewProps<'error-test'>, 'texts'>) {
  const client = useQueryClient()
  const call = (name: string) => {
    client.fetchQuery({ queryKey: ['/api', name] }).then(console.log, console.log)
  }
  const fail = () => {
    throw new Error('Thrown by the test page')
  }
  return (
    <Hero headline={texts.headline} intro={texts.text} error>
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
