package dev.kudu4j.mapreduce;

import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Does nothing: rows are in the table when the cluster has acknowledged them. */
public class KuduTableOutputCommitter extends OutputCommitter {
  @Override
  public void setupJob(JobContext job) {}

  @Override
  public void setupTask(TaskAttemptContext task) {}

  @Override
  public boolean needsTaskCommit(TaskAttemptContext task) {
    return false;
  }

  @Override
  public void commitTask(TaskAttemptContext task) {}

  @Override
  public void abortTask(TaskAttemptContext task) {}
}
