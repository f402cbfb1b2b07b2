/**
 * The programs of docs/client.md and of README.md, as they stand there. Each takes the masters'
 * addresses. {@code ProgramsTest} runs them and compares the texts.
 */
package dev.kudu4j.embedded.programs;
