import { useQueryClient } from '@tanstack/react-query'
import { Hero } from '../components/hero.tsx'
import { Queries } from '../queries.tsx'
import { useSite } from '../site.tsx'

export function ErrorTest() {
  return (
    <Queries>
      <Buttons />
    </Queries>
  )
}

function Buttons() {
  const { test } = useSite().texts.errors
  const client = useQueryClient()
  const call = (name: string) => {
    client.fetchQuery({ queryKey: ['/api', name] }).then(console.log, console.log)
  }
  const fail = () => {
    throw new Error('Thrown by the test page')
  }
  return (
    <Hero headline={test.headline} intro={test.text} error>
      <button className="button" type="button" onClick={() => call('nonexistent-endpoint')}>
        {test.missing}
      </button>
      <button className="button" type="button" onClick={() => call('test-error')}>
        {test.failing}
      </button>
      <button className="button" type="button" onClick={fail}>
        {test.throwing}
      </button>
    </Hero>
  )
}
