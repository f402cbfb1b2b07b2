package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.components.Liveness;
import java.nio.file.Path;

/**
 * A rowset whose files are complete and synced.
 *
 * @param undo the file of earlier states of its rows, or null
 * @param redo the file of deletions up to the boundary, or null
 * @param liveness at the boundary
 */
public record WrittenRowSet(long id, Path base, Path undo, Path redo, Liveness liveness) {}
