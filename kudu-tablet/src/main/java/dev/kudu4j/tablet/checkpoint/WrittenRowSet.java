package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.components.Liveness;
import java.nio.file.Path;

/**
 * A rowset whose files are complete and synced.
 *
 * @param undo what its rows were before the boundary; null when nothing had changed
 * @param redo deletions up to the boundary; null when there were none
 * @param liveness at the boundary
 */
record WrittenRowSet(long id, Path base, Path undo, Path redo, Liveness liveness) {}
