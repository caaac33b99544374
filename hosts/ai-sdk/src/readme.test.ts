import { describeReadme } from '../../../test/hosts/describe-readme.ts'

describeReadme('ai-sdk', new URL('testing/readme-example.ts', import.meta.url))
