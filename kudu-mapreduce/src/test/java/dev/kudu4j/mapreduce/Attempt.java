package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.StatusReporter;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.MapContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** Calls the formats as Hadoop does in a task attempt. */
final class Attempt {
  private Attempt() {}

  static List<InputSplit> splits(Configuration conf) throws Exception {
    return new KuduTableInputFormat().getSplits(new JobContextImpl(conf, new JobID("test", 1)));
  }

  /** The context of a task, with working counters. */
  static TaskAttemptContextImpl context(Configuration conf) {
    Counters counters = new Counters();
    return new TaskAttemptContextImpl(
        conf,
        new TaskAttemptID("test", 1, TaskType.MAP, 0, 0),
        new StatusReporter() {
          @Override
          public Counter getCounter(Enum<?> name) {
            return counters.findCounter(name);
          }

          @Override
          public Counter getCounter(String group, String name) {
            return counters.findCounter(group, name);
          }

          @Override
          public void progress() {}

          @Override
          public float getProgress() {
            return 0;
          }

          @Override
          public void setStatus(String status) {}
        });
  }

  static RecordReader<NullWritable, RowResult> reader(Configuration conf, InputSplit split)
      throws Exception {
    RecordReader<NullWritable, RowResult> reader =
        new KuduTableInputFormat().createRecordReader(split, context(conf));
    reader.initialize(split, context(conf));
    return reader;
  }

  /** Maps each row of all splits. */
  static <T> List<T> read(Configuration conf, List<InputSplit> splits, Function<RowResult, T> ofRow)
      throws Exception {
    List<T> all = new ArrayList<>();
    for (InputSplit split : splits) {
      try (RecordReader<NullWritable, RowResult> reader = reader(conf, split)) {
        while (reader.nextKeyValue()) {
          all.add(ofRow.apply(reader.getCurrentValue()));
        }
      }
    }
    return all;
  }

  /** Makes operations of the task's table. */
  interface Body {
    void writeTo(KuduTable table, RecordWriter<NullWritable, Operation> writer) throws Exception;
  }

  /** Writes, and closes the writer as Hadoop does, also after a failure. */
  static TaskAttemptContextImpl write(Configuration conf, Body body) throws Exception {
    TaskAttemptContextImpl context = context(new Configuration(conf));
    RecordWriter<NullWritable, Operation> writer =
        new KuduTableOutputFormat().getRecordWriter(context);
    try {
      body.writeTo(tableOf(context), writer);
    } catch (Exception e) {
      try {
        writer.close(context);
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
    writer.close(context);
    return context;
  }

  static KuduTable tableOf(TaskAttemptContextImpl context) {
    return KuduTableMapReduceUtil.getTableFromContext(
        new MapContextImpl<>(
            context.getConfiguration(), context.getTaskAttemptID(), null, null, null, null, null));
  }
}
