import { describeReadme } from '../../../test/hosts/describe-readme.ts'

describeReadme('mastra', new URL('testing/readme-example.ts', import.meta.url))
