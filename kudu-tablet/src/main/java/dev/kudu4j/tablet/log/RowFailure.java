package dev.kudu4j.tablet.log;

import dev.kudu4j.common.status.StatusCode;

/**
 * The reason why one row of a request failed while other rows may have been applied. {@code row} is
 * the position of the row in the request, from 0.
 */
public record RowFailure(int row, StatusCode code, String message) {}
