import { describeReadme } from '../../../test/hosts/describe-readme.ts'

describeReadme('langchain', new URL('testing/readme-example.ts', import.meta.url))
