package dev.kudu4j.mapreduce;

import dev.kudu4j.client.Operation;
import org.apache.hadoop.mapreduce.Reducer;

/**
 * A reducer that writes to a table; its output keys are ignored.
 *
 * @param <K> type of the mappers' keys
 * @param <V> type of the mappers' values
 * @param <O> type of the reducer's output keys, such as {@link org.apache.hadoop.io.NullWritable}
 */
public abstract class TableReducer<K, V, O> extends Reducer<K, V, O, Operation> {}
