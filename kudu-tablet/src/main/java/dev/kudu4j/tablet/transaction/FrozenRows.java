package dev.kudu4j.tablet.transaction;

import org.apache.arrow.memory.ArrowBuf;

/**
 * Staged rows that were in memory when a checkpoint began.
 *
 * @param content the rows; this record has a reference to the buffer
 */
public record FrozenRows(StagedRows rows, ArrowBuf content) {}
