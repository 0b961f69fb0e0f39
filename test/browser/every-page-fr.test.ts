import { describeEveryPage } from './every-page.ts'

describeEveryPage('fr')
