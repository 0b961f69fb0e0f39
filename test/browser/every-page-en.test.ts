import { describeEveryPage } from './every-page.ts'

describeEveryPage('en')
