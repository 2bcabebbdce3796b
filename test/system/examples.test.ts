import { describeExamples } from '../helpers/example-reader.ts'
import { examplesOfHelp, examplesOfPages } from '../helpers/examples.ts'

// Each runs as written, where `rma samples` was run.
describeExamples([...examplesOfPages(), ...(await examplesOfHelp())])
