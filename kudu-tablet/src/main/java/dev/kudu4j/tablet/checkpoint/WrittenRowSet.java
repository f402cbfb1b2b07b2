package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.components.Liveness;
import java.nio.file.Path;

/**
 * A rowset whose files are complete and synced.
 *
 * @param undo earlier states of its rows; null if there are none
 * @param redo deletions up to the boundary; null if there are none
 * @param liveness at the boundary
 */
public record WrittenRowSet(long id, Path base, Path undo, Path redo, Liveness liveness) {}
