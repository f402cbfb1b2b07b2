package dev.kudu4j.mapreduce.example;

import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.RowResult;
import dev.kudu4j.client.Upsert;
import dev.kudu4j.mapreduce.CommandLineParser;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableInputFormatConfigurator;
import dev.kudu4j.mapreduce.KuduTableMapReduceUtil.TableOutputFormatConfigurator;
import dev.kudu4j.mapreduce.TableReducer;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.io.DoubleWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** Reads the delays of flights from one table, and writes their sums by carrier to another. */
public final class DelaysPerCarrier extends Configured implements Tool {

  /**
   * Emits the carrier and delay of each flight. The {@code RowResult} is valid only until the next
   * call.
   */
  public static final class DelayMapper
      extends Mapper<NullWritable, RowResult, Text, DoubleWritable> {
    private final Text carrier = new Text();
    private final DoubleWritable delay = new DoubleWritable();

    @Override
    protected void map(NullWritable key, RowResult row, Context context)
        throws IOException, InterruptedException {
      if (!row.isNull("dep_delay")) { // of flights that were cancelled
        carrier.set(row.getString("carrier"));
        delay.set(row.getDouble("dep_delay"));
        context.write(carrier, delay);
      }
    }
  }

  /** Upserts a row of each carrier: done twice, it is as if it were done once. */
  public static final class SumReducer extends TableReducer<Text, DoubleWritable, NullWritable> {
    private KuduTable delays;

    @Override
    protected void setup(Context context) {
      delays = KuduTableMapReduceUtil.getTableFromContext(context);
    }

    @Override
    protected void reduce(Text carrier, Iterable<DoubleWritable> values, Context context)
        throws IOException, InterruptedException {
      long flights = 0;
      double minutes = 0;
      for (DoubleWritable value : values) {
        flights++;
        minutes += value.get();
      }
      Upsert upsert = delays.newUpsert();
      upsert.getRow().addString("carrier", carrier.toString());
      upsert.getRow().addLong("flights", flights);
      upsert.getRow().addDouble("minutes", minutes);
      context.write(NullWritable.get(), (Operation) upsert);
    }
  }

  /** The job, to be run or submitted. */
  public static Job job(Configuration conf, String masters) throws IOException {
    Job job = Job.getInstance(conf, "delays per carrier");
    job.setJarByClass(DelaysPerCarrier.class);
    job.setMapperClass(DelayMapper.class);
    job.setMapOutputKeyClass(Text.class);
    job.setMapOutputValueClass(DoubleWritable.class);
    job.setReducerClass(SumReducer.class);
    new TableInputFormatConfigurator(job, "flights", "carrier,dep_delay", masters).configure();
    new TableOutputFormatConfigurator(job, "delays", masters).configure();
    return job;
  }

  @Override
  public int run(String[] arguments) throws Exception {
    String masters = new CommandLineParser(getConf()).getMasterAddresses();
    return job(getConf(), masters).waitForCompletion(true) ? 0 : 1;
  }

  public static void main(String[] arguments) throws Exception {
    System.exit(ToolRunner.run(new DelaysPerCarrier(), arguments));
  }
}
