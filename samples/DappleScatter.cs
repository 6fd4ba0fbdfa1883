// Scatters prefabs on the points of a Dapple file, in Unity (2020 or later).
//
//     dapple sample --size 512 --radius 9 --classes 0.6,0.3,0.1 --object-size 4:9 --rotation 0:360 -o wood.json
//
// Put this script and the .json into Assets, and add the script to an empty object. Choose the file and a prefab for
// each class, and call "Scatter" from the component's menu. Points lie in the plane of x and z; y of the file runs
// against z. The column size is the final width of a prefab that is 1 unit wide.
using System;
using System.Collections.Generic;
using UnityEngine;

public class DappleScatter : MonoBehaviour
{
    public TextAsset points;
    public GameObject[] prefabs;
    public float unitsPerPixel = 0.02f;

    // The parts of the file that JsonUtility reads. `class` is a keyword of C#, so it is written @class. A column
    // that the file does not have stays null.
    [Serializable] public class Domain { public double width, height; }
    [Serializable] public class Columns
    {
        public double[] x, y;
        public float[] r, size, rotation;
        public int[] @class;
    }
    [Serializable] public class PointFile { public Domain domain; public Columns columns; }

    [ContextMenu("Scatter")]
    public void Scatter()
    {
        PointFile file = JsonUtility.FromJson<PointFile>(points.text);
        Columns c = file.columns;
        Clear();
        for (int i = 0; i < c.x.Length; ++i)
        {
            int kind = Has(c.@class) ? c.@class[i] : 0;
            GameObject thing = Instantiate(prefabs[kind % prefabs.Length], transform);
            thing.transform.localPosition = new Vector3((float)c.x[i] * unitsPerPixel, 0,
                                                        (float)(file.domain.height - c.y[i]) * unitsPerPixel);
            // Seen from above, rotations run clockwise, both in the file and around y in Unity.
            if (Has(c.rotation)) thing.transform.localRotation = Quaternion.Euler(0, c.rotation[i], 0);
            if (Has(c.size)) thing.transform.localScale *= c.size[i] * unitsPerPixel;
        }
    }

    [ContextMenu("Clear")]
    public void Clear()
    {
        for (int i = transform.childCount - 1; i >= 0; --i) DestroyImmediate(transform.GetChild(i).gameObject);
    }

    static bool Has<T>(T[] column) { return column != null && column.Length > 0; }
}
