import { read } from '../tools/harness/project.ts'

/** The matrix: a row of the specification by its section, the suite that holds it, and the test. */
const MATRIX = `
2 / | server/pages/content | the home page has headline, introduction and a card for each sector
2 /secteurs-activite | server/pages/content | the sectors have title, subtitle, description and tags
2 /services | server/pages/content | three services have their features, and a button leads to the contact part of the home page
2 /services, button | browser/frame | the call to action of the services reaches the contact part of the home page
2 /contact | server/pages/content | the contact page has address, telephone, e-mail, hours and the form
2 /contact, top on load | browser/frame | the page of the form opens at its top when it is loaded again
2 sector pages | server/pages/content | the page of %s has its offerings
2 privacy policy | server/pages/content | the policy has twelve sections and its date
2 privacy policy, language | browser/language | on a privacy page the toggle goes to its twin, and the footer links to the right one
2 /test-404, /test-500, /error-test | server/pages/content | $path is $status, valid, and of one language
2 /error-test, buttons | browser/frame | the test page logs the answers to its calls, and a thrown error shows the server error page
2 any other path | server/pages/addresses | %s is the 404 page
2 offers of the error pages | server/pages/content | the error pages lead home and to the form, that of the server to the page again
2 footer | server/pages/content | the footer leads to the form and to the firm’s other sites, and has its registration numbers
2, 9 splash | browser/first-paint | the splash leaves after 2.5 s, within 0.5 s
3 form state | server/contact/messages | a valid request is answered with its reference and the time, and is stored (Accept: %s)
3 traps | server/contact/messages | a filled trap %s means quarantine
4 language: default | server/pages/content | %s with the cookie %.20s is in %s
4 language: toggle | browser/language | the toggle switches, keeps focus and scroll position, and removes the language from the address
4 language: saved value | browser/language | a plain visit stores nothing, and values that are no language are ignored
4 banner: choices | browser/frame | %s lasts, until %s replaces it, even in a full store
4 banner: close, details | browser/frame | the banner explains four categories; closing it stores nothing and lasts for the document
4 form: sent | browser/form | a request is sent, confirmed, and kept as typed
4 form: submitting | browser/form | while a message is under way, a status says so and has the focus; it ends after 30 s without an answer
4 form: second submit | browser/form | a second submit while the first is pending is ignored, also by a form that was opened again
4 form: error | browser/form | a failure shows %s and keeps the typed text
4 splash, then routes | browser/frame | the splash ends by itself, before the banner, and appears once for a document
4 uncaught script error | browser/frame | a page whose script failed is shown again after going back to it
5 rules and sentences | server/contact/messages | %s %j is 400 with the sentence of %s
5 order | shared/contact-schema | faults are in order, one for each field
5 toast | browser/form | %s is refused in toast and field, and keeps the typed text
5 sentences in French | tools/check-content | the prescribed sentence %s is kept
7 credentials, content type | client/calls-and-toasts | a request always sends cookies, and a content type only with a payload
7 GET of the key | client/calls-and-toasts | a query fetches the parts of its key joined with slashes, as JSON
7 401 | client/calls-and-toasts | 401 is an error, or null with \`on401: null\`
7 defaults of fetching | client/calls-and-toasts | data never becomes stale, and nothing is fetched again by itself
8 message of an error | client/calls-and-toasts | an empty answer %d without a status text (HTTP/2) is the error %s
8 toasts | browser/form | a failure shows %s and keeps the typed text
9 two messages an hour | server/contact/limit | of 200 messages at once, two are accepted
9 limit in the form | server/contact/limit | limit and window come from the environment, and the sentence names them
9 one toast at a time | client/calls-and-toasts | only the newest toast is shown
9 removed after 1,000,000 ms | client/calls-and-toasts | a dismissed toast is closed at once, and removed after 1,000,000 ms
9 5000 ms, swipe | browser/form | a toast closes after 5 s, or when it is swiped 50 px to the right
9 F8, Notifications | browser/form | the region of notifications has its name and its key before a toast
9 tooltip 700 ms | browser/language | opens after 700 ms
9 tooltip 300 ms | browser/language | opens again at once within 300 ms after it closed`

const rows = MATRIX.trim()
  .split('\n')
  .map((line) => line.split(' | '))

test.each(rows)('%s is held by a test of %s: %s', (_row, suite, name) => {
  expect(read(`test/${suite}.test.ts`)).toContain(`'${name}'`)
})
