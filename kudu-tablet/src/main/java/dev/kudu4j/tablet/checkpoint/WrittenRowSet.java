package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.components.Liveness;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A rowset whose files are complete and synced.
 *
 * @param undo the file of earlier states of the rows, or null
 * @param redo the file of deletions of dead rows, or null
 * @param liveness the live rows according to these files
 */
public record WrittenRowSet(
    long id, Path base, @Nullable Path undo, @Nullable Path redo, Liveness liveness) {}
