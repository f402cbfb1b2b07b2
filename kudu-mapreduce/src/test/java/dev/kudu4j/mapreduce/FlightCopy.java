package dev.kudu4j.mapreduce;

import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableInputFormatConfigurator;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableOutputFormatConfigurator;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** Copies flights from table to table, or into the table itself with other numbers. */
final class FlightCopy {
  /** The number that is added to the numbers of flights. */
  private static final String ADD_KEY = "flights.add";

  /** The row at which the first attempt of the first task exits, as if it were killed. */
  static final String DIE_AT_KEY = "flights.die.at";

  private FlightCopy() {}

  static Job job(Configuration conf, String masters, String from, String to, int add)
      throws IOException {
    Job job = Job.getInstance(conf, "copy " + from + " to " + to);
    job.getConfiguration().setInt(ADD_KEY, add);
    job.setJarByClass(FlightCopy.class);
    job.setMapperClass(CopyMapper.class);
    job.setNumReduceTasks(0);
    new TableInputFormatConfigurator(job, from, "*", masters).configure();
    new TableOutputFormatConfigurator(job, to, masters).configure();
    return job;
  }

  /** Upserts each row. */
  static final class CopyMapper extends Mapper<NullWritable, RowResult, NullWritable, Operation> {
    private KuduTable table;
    private int add;
    private int rowsUntilDeath;

    @Override
    protected void setup(Context context) {
      table = KuduTableMapReduceUtil.getTableFromContext(context);
      add = context.getConfiguration().getInt(ADD_KEY, 0);
      boolean first =
          context.getTaskAttemptID().getId() == 0
              && context.getTaskAttemptID().getTaskID().getId() == 0;
      rowsUntilDeath = first ? context.getConfiguration().getInt(DIE_AT_KEY, 0) : 0;
    }

    @Override
    protected void map(NullWritable key, RowResult row, Context context)
        throws IOException, InterruptedException {
      if (rowsUntilDeath > 0 && --rowsUntilDeath == 0) {
        Runtime.getRuntime().halt(137);
      }
      Operation upsert = table.newUpsert();
      for (int i = 0; i < table.getSchema().getColumnCount(); i++) {
        upsert.getRow().addObject(i, row.isNull(i) ? null : row.getObject(i));
      }
      upsert.getRow().addInt("flight", row.getInt("flight") + add);
      context.write(NullWritable.get(), upsert);
    }
  }
}
